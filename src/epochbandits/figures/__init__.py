"""The paper's figures: `registry` (what there is), `data` (what is plotted), one function each."""
