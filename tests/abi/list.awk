# Lists what C headers declare, one macro call a line: STRUCT, FIELD, VALUE (enumerators and numeric macros), FUNCTION.
# Reads text without comments (gcc -fpreprocessed -dD -E -P).

/^#define [A-Za-z_]+_STRUCT_SIZE / || /^#define (SE|GO)_(MAJOR|MINOR|PATCH) / { print "VALUE(" $2 ")" }
/^#/ { continued = /\\$/; next }
continued { continued = /\\$/; next }
/^extern "C" \{$/ || (text == "" && /^\}$/) { next }

{
  text = text " " $0
  opened += gsub(/\{/, "{")
  closed += gsub(/\}/, "}")
  if (opened == closed && /[;}]$/) { statement(text); text = "" }
}

function statement(s) {
  gsub(/[ \t]+/, " ", s)
  if (s ~ /static inline/) return
  if (s ~ /^ typedef struct [A-Za-z_]+ ?\{/ || s ~ /^ typedef struct \{/) return structure(s)
  if (s ~ /^ (typedef )?enum [A-Za-z_]* ?\{/ || s ~ /^ enum \{/) return enumeration(s)
  if (s ~ /^ typedef/ || s ~ /^ (struct|class|namespace) / || s ~ /^ const /) return
  if (match(s, /(TFE?|SE)_[A-Za-z0-9_]+ ?\(/)) print "FUNCTION(" name(substr(s, RSTART, RLENGTH)) ")"
}

function structure(s,    body, members, count, i, member, type) {
  type = s
  sub(/.*\} ?/, "", type)
  sub(/ ?;.*/, "", type)
  print "STRUCT(" type ")"
  body = s
  sub(/^[^{]*\{/, "", body)
  sub(/\}[^}]*$/, "", body)
  gsub(/\{[^}]*\}/, "", body)
  count = split(body, members, ";")
  for (i = 1; i <= count; i++) {
    member = members[i]
    if (member ~ /^ *$/) continue
    if (match(member, /\(\*[a-z_0-9]+\)/)) member = substr(member, RSTART + 2, RLENGTH - 3)
    sub(/\[.*/, "", member)
    sub(/ OPLINK_C_DEFAULT\(.*/, "", member)
    sub(/.*[ *]/, "", member)
    print "FIELD(" type ", " member ")"
  }
}

function enumeration(s,    body, entries, count, i) {
  body = s
  sub(/^[^{]*\{/, "", body)
  sub(/\}[^}]*$/, "", body)
  count = split(body, entries, ",")
  for (i = 1; i <= count; i++) if (entries[i] !~ /^ *$/) print "VALUE(" name(entries[i]) ")"
}

function name(s) {
  sub(/^ */, "", s)
  sub(/[ =(].*/, "", s)
  return s
}
