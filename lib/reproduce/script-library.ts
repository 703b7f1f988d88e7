// The shell functions that every generated script begins with.
import { apiPath } from '../catalogue/operations.ts';

/** Each request has a number, and leaves its status and body in files of that number. */
export const library = `work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
began=$(date +%s)
api="\${COVENANT_BASE_URL%/}${apiPath}"

# Sends a request: number, method, route, and options of curl.
send() {
  number=$1 method=$2 route=$3
  shift 3
  if [ "$method" = HEAD ]; then set -- --head "$@"; else set -- -X "$method" "$@"; fi
  : > "$work/$number"
  curl -sS -g -m 60 -D "$work/$number.head" -o "$work/$number" -w '%{http_code}' "$@" "$api$route" > "$work/$number.status"
}

# Sends a request many times: number, how often, method, route, and options of curl. Prints how often each status came,
# and keeps the reply with the greatest status.
burst() {
  number=$1 count=$2 method=$3 route=$4
  shift 4
  began=$(date +%s)
  curl -sS --no-progress-meter -Z --parallel-max 32 -m 60 -X "$method" -o "$work/$number.reply.#1" \
    -w '%{http_code} %{filename_effective}\\n' "$@" "$api$route#[1-$count]" | sort > "$work/replies"
  cut -d ' ' -f 1 "$work/replies" | uniq -c | sed 's/^ *\\([0-9]*\\) \\([0-9]*\\)/\\1 times \\2/' > "$work/$number.status"
  mv "$(tail -n 1 "$work/replies" | cut -d ' ' -f 2-)" "$work/$number"
  : > "$work/$number.head"
  cat "$work/$number.status"
}

# A key is returned once; it stays out of what this prints.
masked() {
  sed 's/\\("api_key" *: *"[^"]\\{8\\}\\)[^"]*"/\\1..."/g'
}

# Prints what a request was, and the beginning of its reply: number, status in the run, title. Without a reply, or refused
# for its number as it was not in the run, the rest shows nothing.
summary() {
  status=$(cat "$work/$1.status")
  printf '%3s  %s  %s\\n     %s\\n' "$1" "$status" "$3" "$(head -c 300 "$work/$1" | tr '\\n' ' ' | masked)"
  case $status in
    "$2") ;;
    000 | 429) stop "request $1 was answered with status $status" ;;
  esac
}

# Waits as long as the run did, and no longer than limits are counted: seconds.
pause() {
  most=$((COVENANT_MINUTE_MS / 1000 + 1))
  [ "$1" -lt "$most" ] || set -- "$most"
  echo "     ($1 s pass, as in the run)"
  sleep "$1"
  began=$(date +%s)
}

stop() {
  echo "STOPPED: $1" >&2
  exit 2
}

# Prints whole replies: numbers.
show() {
  for number in "$@"; do
    printf 'request %s: status %s\\n' "$number" "$(cat "$work/$number.status")"
    sed '1d; s/\\r$//; /^$/d' "$work/$number.head"
    [ ! -s "$work/$number" ] || { masked < "$work/$number"; echo; }
  done
}

# The values of a member in a reply: number, name.
members() {
  grep -oE "\\"$2\\" *: *(\\"[^\\"]*\\"|[^],}]*)" "$work/$1" | sed 's/^"[^"]*" *: *//; s/ *$//'
}

# One of them, without its quotes, which the rest needs: number, name, which one of that name.
member() {
  value=$(members "$1" "$2" | sed -n "$3p" | sed 's/^"//; s/"$//')
  case $value in
    '' | null) stop "request $1 brought no $2, which the rest needs: $(head -c 300 "$work/$1")" ;;
  esac
  printf %s "$value"
}

# Ends with what is shown: whether the failure is there (1) or not (0), and why.
verdict=2
shown() {
  verdict=1
  echo "SHOWN AGAIN: $1"
}
not_shown() {
  verdict=0
  echo "NOT SHOWN: $1"
}

# Whether a reply has another status than it should: number, the expectation in words, patterns of statuses.
judge_status() {
  number=$1 expected=$2
  shift 2
  [ "$expected" != 429 ] || [ $((($(date +%s) - began) * 1000)) -lt "$COVENANT_MINUTE_MS" ] ||
    stop 'the requests took more than the minute in which they are counted'
  status=$(cat "$work/$number.status")
  for pattern in "$@"; do
    case $status in $pattern) not_shown "the status is $status, as it should be."; return ;; esac
  done
  shown "the status is $status and should be $expected."
}

# Whether requests are counted wrongly: least and most that should be accepted, but for what flows back meanwhile; numbers.
judge_count() {
  least=$1 most=$(($2 + $2 * ($(date +%s) - began) * 1000 / COVENANT_MINUTE_MS))
  shift 2
  accepted=$(for number in "$@"; do sed 's/^[0-9]*$/1 times &/' "$work/$number.status"; echo; done | awk '$3 ~ /^2/ { sum += $1 } END { print sum + 0 }')
  if [ "$accepted" -lt "$least" ] || [ "$accepted" -gt $((2 * most)) ]; then shown "$accepted requests were accepted."
  elif [ "$accepted" -gt "$most" ]; then stop "$accepted were accepted, as many as two minutes allow; run it again"
  else not_shown "$accepted requests were accepted, as it should be."; fi
}

# Whether a member has the value of the run: number, name, which one of that name, value.
judge_member() {
  now=$(members "$1" "$2" | sed -n "$3p")
  if [ "$now" = "$4" ]; then shown "$2 is $now."; else not_shown "$2 is \${now:-absent}."; fi
}

# Whether a member is missing: number, name.
judge_absent() {
  if grep -q "\\"$2\\" *:" "$work/$1"; then not_shown "$2 is there."; else shown "$2 is absent."; fi
}

# Keeps a reply of the run beside those of now: number, status, type; its body comes in.
recorded() {
  echo "$2" > "$work/then.$1.status"
  if [ -n "$3" ]; then echo "content-type: $3"; fi > "$work/then.$1.head"
  cat > "$work/then.$1"
}

# Of a list the records that have texts of a file, where there is one; an object a line.
ours() {
  [ -f "$1" ] || { cat; return; }
  awk -v file="$1" '
    BEGIN { while ((getline line < file) > 0) texts[tolower(line)] }
    {
      has = 0
      for (text in texts) if (index(tolower($0), text)) has = 1
      if (has) kept = 1
      else if ($0 ~ /"[a-z_]*id" *:|"total"/) kept = 0
      if (kept) print
    }'
}

# Replies an object a line, without what differs in every run: a prefix of files, numbers. Of lists only what has texts of
# this file, where there are any.
normal() {
  prefix=$1
  shift
  for number in "$@"; do
    file=$work/$prefix$number
    echo "$(cat "$file.status")"
    grep -i '^content-type:' "$file.head" | tr -d '\\r' | tr '[:upper:]' '[:lower:]'
    tr -d '\\n' < "$file" | tr '{}' '\\n\\n' | grep . | ours "$work/texts.$number"
  done |
    sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}/TIME/g; s/TIME[.][0-9]+/TIME.0/g
      s/"(request_id|next_cursor|cursor|api_key|key_prefix)" *: *"[^"]+"/"\\1":"*"/g; s/"total" *: *[0-9]+/"total":#/g; s/: *[0-9]{10,13}([,}]|$)/:EPOCH\\1/g' |
    awk '{
      line = $0; out = ""
      while (match(line, /"[a-z_]*id" *: *"?[0-9]+/)) {
        found = substr(line, RSTART, RLENGTH); id = found; sub(/[0-9]+$/, "", found)
        if (!(id in names)) names[id] = "#" ++count
        out = out substr(line, 1, RSTART - 1) found names[id]; line = substr(line, RSTART + RLENGTH)
      }
      print out line
    }' | LC_ALL=C sort
}

# Whether replies are as they were in the run: numbers.
judge_replies() {
  normal '' "$@" > "$work/now"
  normal then. "$@" > "$work/then"
  if cmp -s "$work/then" "$work/now"; then shown "the replies are as in the run."
  else
    not_shown "the replies are not as in the run (<), but (>):"
    diff "$work/then" "$work/now" | grep '^[<>]' | cut -c 1-300
  fi
}

# A new Idempotency-Key.
fresh_key() {
  od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | sed 's/^\\(.\\{8\\}\\)\\(.\\{4\\}\\)\\(.\\{4\\}\\)\\(.\\{4\\}\\)/\\1-\\2-\\3-\\4-/'
}`;
