# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts under the prefix: the program, the library and its
# header, the data that they read, manual pages and completion.

# Manual pages are made of the tables that print --help. What `installed` builds
# is what an installation needs.
set(pages sluice)
file(GLOB commands RELATIVE ${CMAKE_SOURCE_DIR}/cli CONFIGURE_DEPENDS
  cli/cmd_*.c cli/show_*.c)
foreach(source ${commands})
  string(REGEX REPLACE "^(cmd_)?(.*)[.]c$" "sluice-\\2" page ${source})
  string(REPLACE "_" "-" page ${page})
  list(APPEND pages ${page})
endforeach()
set(manual)
foreach(page ${pages})
  string(REPLACE "-" ";" words ${page})
  list(POP_FRONT words)
  add_custom_command(OUTPUT man/${page}.1
    COMMAND ${CMAKE_COMMAND} -E make_directory man
    COMMAND sluice ${words} --help=man > man/${page}.1
    DEPENDS sluice VERBATIM)
  list(APPEND manual ${CMAKE_BINARY_DIR}/man/${page}.1)
endforeach()
add_custom_target(manual ALL DEPENDS ${manual})
add_custom_target(installed)
add_dependencies(installed sluice libsluice manual)

# What is not built is told before anything is installed.
install(CODE "
foreach(file \"$<TARGET_FILE:sluice>\" \"$<TARGET_FILE:libsluice>\"
    \"$<TARGET_FILE:sluice_simgrid>\" \"$<TARGET_FILE:sluice_discover>\"
    \"$<TARGET_FILE:sluice_traces>\" ${manual})
  if(NOT EXISTS \"\${file}\")
    message(FATAL_ERROR \"\${file} is not built; nothing was installed: \"
      \"cmake --build ${CMAKE_BINARY_DIR} --target installed\")
  endif()
endforeach()")
install(TARGETS sluice RUNTIME)
install(TARGETS libsluice LIBRARY)
install(TARGETS sluice_simgrid sluice_discover sluice_traces
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/sluice)
install(FILES cli/sluice.h TYPE INCLUDE)
file(RELATIVE_PATH PC_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/sluice.pc.in sluice.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/sluice.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET sluice-native) # which `installed` does without
  install(TARGETS sluice-native RUNTIME OPTIONAL)
endif()

set(data ${CMAKE_INSTALL_DATADIR}/sluice)
foreach(folder platforms apps/presets workloads/data results/atos
    results/claims results/figures results/klenk results/lci results/papers
    cli/report)
  get_filename_component(parent ${folder} DIRECTORY)
  install(DIRECTORY ${folder} DESTINATION ${data}/${parent} FILES_MATCHING
    PATTERN *.json PATTERN *.csv PATTERN *.gp PATTERN *.gz PATTERN README.md
    PATTERN *.py PATTERN *.html PATTERN *.css PATTERN *.js)
endforeach()
install(FILES results/h200/gpu/match.csv results/h200/gpu/queue.csv
  DESTINATION ${data}/results/h200/gpu)
install(FILES results/h200/graph/traverse.csv.xz
  DESTINATION ${data}/results/h200/graph)
install(FILES cli/python/sluice.py DESTINATION lib/python3/dist-packages)
install(FILES LICENSE README.md TYPE DOC)

install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

install(FILES cli/completion/sluice.bash RENAME sluice
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES cli/completion/_sluice
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
