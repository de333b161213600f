"""Bandits in correlated Markovian environments with smoothed reward feedback.

A reproduction of Fiez, Sekar and Ratliff, 'Multi-Armed Bandits for Correlated Markovian
Environments with Smoothed Reward Feedback'. The modules follow the way of the data:
`chains`, `rewards`, `instance`, `generators`, `theory`, `expectations`.
"""

from epochbandits.instance import Instance
from epochbandits.validation import InputError

__all__ = ["InputError", "Instance", "__version__"]
__version__ = "0.1.0"
