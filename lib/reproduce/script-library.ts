// The shell functions that every generated script begins with.
import { apiPath } from '../catalogue/operations.ts';

/** Each request has a number, and leaves its status and body in files of that number. */
export const library = `work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
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

# Prints what a request was, and the beginning of its reply: number, title.
summary() {
  printf '%3s  %s  %s\\n     %s\\n' "$1" "$(cat "$work/$1.status")" "$2" "$(head -c 300 "$work/$1" | tr '\\n' ' ' | masked)"
}

# Prints whole replies: numbers.
show() {
  for number in "$@"; do
    printf 'request %s: status %s\\n' "$number" "$(cat "$work/$number.status")"
    sed '1d; s/\\r$//; /^$/d' "$work/$number.head"
    [ ! -s "$work/$number" ] || { masked < "$work/$number"; echo; }
  done
}

# The value of a member in a reply: number, name, which one of that name.
member() {
  value=$(grep -oE "\\"$2\\" *: *(\\"[^\\"]*\\"|[^],}]*)" "$work/$1" | sed -n "$3p" | sed 's/^"[^"]*" *: *//; s/^"//; s/[" ]*$//')
  case $value in
    '' | null)
      echo "STOPPED: request $1 brought no $2, which the rest needs: $(head -c 300 "$work/$1")" >&2
      return 1 ;;
  esac
  printf %s "$value"
}

# Says whether a reply has one of the expected statuses: number, statuses.
judge() {
  number=$1
  shift
  status=$(cat "$work/$number.status")
  for expected in "$@"; do
    [ "$status" != "$expected" ] || { echo "NOT SHOWN: the status is $status, as it should be."; return; }
  done
  echo "SHOWN AGAIN: the status is $status and should be $*." | sed 's/\\([0-9]\\) \\([0-9]\\)/\\1 or \\2/g'
}

# A new Idempotency-Key.
fresh_key() {
  od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | sed 's/^\\(.\\{8\\}\\)\\(.\\{4\\}\\)\\(.\\{4\\}\\)\\(.\\{4\\}\\)/\\1-\\2-\\3-\\4-/'
}`;
