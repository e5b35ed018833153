# SPDX-License-Identifier: GPL-3.0-or-later
heading = 'Fig 9  Strong scaling of PageRank on Summit, one GPU a node'
load here.'atos-scaling.gp'
