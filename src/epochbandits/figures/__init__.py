"""Figures: from a run's tables to the plotted table of each figure, and from that to its files.

`registry` lists the figures, `render` writes their files. Each group of figures has a module: a
function that makes the plotted table, and beside it the function that draws the table. `tables`,
`lines`, `marks` and `style` hold what several groups share.
"""
