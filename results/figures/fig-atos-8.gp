# SPDX-License-Identifier: GPL-3.0-or-later
heading = 'Fig 8  Strong scaling of BFS on Summit, one GPU a node'
load here.'atos-scaling.gp'
