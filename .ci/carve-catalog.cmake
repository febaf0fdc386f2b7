# carve_add_catalog(target CATALOG... [NAME name] [PREFIX word] [OPTIONS option...])
#
# Compiles catalogues into ${CMAKE_CURRENT_BINARY_DIR}/name.car (Assets.car), writes a header name.h
# in lower case (assets.h) with a macro for the id of each asset, and lets the target include it.
# Both are made again if a file or a folder of the catalogues changed. PREFIX is the beginning of
# the macros (ASSET); OPTIONS are passed to `carve compile`. The target's property CARVE_ARCHIVE is
# the archive's path, for install(FILES).
cmake_policy(PUSH)
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.20)
  cmake_policy(VERSION 3.20)
endif()

function(carve_add_catalog target)
  cmake_parse_arguments(PARSE_ARGV 1 catalog "" "NAME;PREFIX" "OPTIONS")
  if(CMAKE_VERSION VERSION_LESS 3.20)
    message(FATAL_ERROR "carve_add_catalog needs CMake 3.20, which knows dependency files")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "carve_add_catalog: there is no target ${target}")
  endif()
  if(NOT catalog_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "carve_add_catalog: name a catalogue for ${target}")
  endif()
  find_program(CARVE_EXECUTABLE carve
    HINTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../../bin")
  if(NOT CARVE_EXECUTABLE)
    message(FATAL_ERROR "carve_add_catalog: the program carve is not found; name it by -DCARVE_EXECUTABLE=FILE")
  endif()
  if(NOT catalog_NAME)
    set(catalog_NAME Assets)
  endif()
  if(NOT catalog_PREFIX)
    set(catalog_PREFIX ASSET)
  endif()
  set(catalogs "")
  foreach(path IN LISTS catalog_UNPARSED_ARGUMENTS)
    get_filename_component(path "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    if(NOT IS_DIRECTORY "${path}")
      message(FATAL_ERROR "carve_add_catalog: there is no catalogue ${path}")
    endif()
    list(APPEND catalogs "${path}")
  endforeach()
  string(TOLOWER "${catalog_NAME}" lower)
  set(archive "${CMAKE_CURRENT_BINARY_DIR}/${catalog_NAME}.car")
  set(headers "${CMAKE_CURRENT_BINARY_DIR}/carve/${target}")
  set(header "${headers}/${lower}.h")
  file(MAKE_DIRECTORY "${headers}")
  add_custom_command(
    OUTPUT "${archive}" "${header}"
    COMMAND "${CARVE_EXECUTABLE}" compile ${catalogs} -o "${archive}" --c "${header}"
      --prefix "${catalog_PREFIX}" --depfile "${headers}/${lower}.d" --touch ${catalog_OPTIONS}
    DEPENDS "${CARVE_EXECUTABLE}"
    DEPFILE "${headers}/${lower}.d"
    COMMENT "Compiling ${catalog_NAME}.car"
    VERBATIM)
  target_sources(${target} PRIVATE "${header}" "${archive}")
  target_include_directories(${target} PRIVATE "${headers}")
  set_property(TARGET ${target} APPEND PROPERTY CARVE_ARCHIVE "${archive}")
endfunction()

cmake_policy(POP)
