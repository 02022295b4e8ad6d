# Compiles folders in few units: a header's templates are then made once for a batch of files, which
# halves the time of a cold build (decision 47). Switch it off to work on the code, where one file
# at a time is compiled again, and to find an include that a file lacks.
option(LOOKALIKE_UNITY "Compile the files of a folder together, some at a time" ON)
set(LOOKALIKE_UNITY_FILES 8 CACHE STRING "Files of a unit; 1000 finds names that collide in a folder")

# unite(LIST FOLDER...): replaces the sources of each folder, in a list of absolute paths, by units
# that include up to LOOKALIKE_UNITY_FILES of them each. A unit's path ends like its folder's. It is
# the same for every build folder, as ccache knows an object by the path of its source: the wheel
# then takes the objects of the command's build. The sum of what it includes keeps apart the units of
# builds that differ.
function(unite list)
  set(sources ${${list}})
  if(LOOKALIKE_UNITY)
    foreach(folder IN LISTS ARGN)
      set(inside "")
      foreach(source IN LISTS sources)
        get_filename_component(home "${source}" DIRECTORY)
        if(home STREQUAL "${CMAKE_SOURCE_DIR}/${folder}")
          list(APPEND inside "${source}")
        endif()
      endforeach()
      if(inside)
        list(REMOVE_ITEM sources ${inside})
      endif()
      set(part 0)
      while(inside)
        list(SUBLIST inside 0 ${LOOKALIKE_UNITY_FILES} batch)
        list(REMOVE_ITEM inside ${batch})
        list(TRANSFORM batch PREPEND "#include \"")
        list(TRANSFORM batch APPEND "\"")
        list(JOIN batch "\n" content)
        string(SHA1 sum "${content}")
        string(SUBSTRING "${sum}" 0 8 sum)
        set(unit "${CMAKE_SOURCE_DIR}/build/unity/${sum}/${folder}/part_${part}.cc")
        if(NOT EXISTS "${unit}")  # a unit that is written again is compiled again
          file(WRITE "${unit}" "${content}\n")
        endif()
        # A class of one file may hold what only that file can name: GCC takes the unit for a header.
        set_property(SOURCE "${unit}" APPEND PROPERTY COMPILE_OPTIONS
                     "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")
        list(APPEND sources "${unit}")
        math(EXPR part "${part} + 1")
      endwhile()
    endforeach()
  endif()
  set(${list} ${sources} PARENT_SCOPE)
endfunction()
