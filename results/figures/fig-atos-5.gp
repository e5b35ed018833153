# SPDX-License-Identifier: GPL-3.0-or-later
heading = 'Fig 5  Strong scaling on Daisy'
load here.'atos-scaling.gp'
