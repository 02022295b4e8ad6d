# embed_file(<variable> <path> <symbol>): makes an assembler source that holds the file's bytes as
# `extern "C" const char <symbol>Begin[], <symbol>End[]`, and sets <variable> to its path.
function(embed_file variable path symbol)
  set(source "${CMAKE_BINARY_DIR}/embedded/${symbol}.S")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
".section .rodata
.global @symbol@Begin
.global @symbol@End
@symbol@Begin:
.incbin \"@path@\"
@symbol@End:
.byte 0
.section .note.GNU-stack,\"\",@progbits
")
  set_property(SOURCE "${source}" APPEND PROPERTY OBJECT_DEPENDS "${path}")
  set(${variable} "${source}" PARENT_SCOPE)
endfunction()
