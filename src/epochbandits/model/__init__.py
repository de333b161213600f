"""The problem: Markov `chains`, `rewards`, the `instance`, and exact `moments` of epochs.

`generators` and `problems` make instances, `schedules` and `setting` say how long epochs are,
`checks` tests the paper's assumptions, `structure` and `lock_in` say when UCB fails. `beliefs`,
`control` and `cycles` bound what learners that know the instance earn.
"""
