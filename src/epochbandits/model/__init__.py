"""The problem: Markov `chains`, reward laws, the `instance`, and exact epoch `moments`."""
