"""Random numbers for kernels that run as Python."""

import numpy as np

from epochbandits.engine.uniforms import load_words, next_uniform, store_words


class Words:
    """A stream for kernels that run as Python."""

    def __init__(self, seed):
        self.words = np.random.SFC64(seed).state["state"]["state"].copy()
        self.generator = np.random.default_rng(seed)
        self.standard_exponential = self.generator.standard_exponential
        self.binomial = self.generator.binomial

    def random(self):
        u, words = next_uniform(load_words(self))
        store_words(self, words)
        return float(u)
