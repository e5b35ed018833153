# SPDX-License-Identifier: GPL-3.0-or-later
heading = 'Fig 7  Strong scaling on the GPUs of one node of Summit'
load here.'atos-scaling.gp'
