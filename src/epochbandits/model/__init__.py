"""The problem: Markov `chains`, reward laws, the `instance`, and exact `moments` of epochs."""
