#!/bin/sh
# Starts one agent, at most once, keeps it apart from daemon and tmux, and records its end.
#
#   pane RUNDIR LOG -- ARGV…   started by tmux: claims the run, starts `keep`, shows `window`
#   tty RUNDIR -- ARGV…        started by tmux: claims the run, gives the agent the pane, writes its exit record
#   apart RUNDIR ARGV…         started by the daemon while there is no tmux: claims the run, becomes `keep`, shows nothing
#   window RUNDIR LOG          shows the run's readable log
#   feed RUNDIR                detached, for a run with in.jsonl: says its lines to the agent as they come
#   keep RUNDIR ARGV…          detached: waits for the agent and writes its exit record
#   exec RUNDIR ARGV…          writes down its pid, then becomes the agent
#
# No user text is parsed here: argv arrives as "$@", the environment as data. Our variables are hf_*, because
# the agent's environment is loaded into this same shell. Nothing is started with `&` on the way to the agent:
# sh would make it ignore SIGINT and SIGQUIT for good. A fork or exec costs up to a millisecond of every launch,
# so builtins do what they can, and results come back in variables.

hf_stage=$1
hf_run=$2
hf_mark=HOLDFAST_RUN=${hf_run##*/}
shift 2

main() {
  case $hf_stage in
    pane) hf_log=$1 && shift 2 && pane "$@" ;;
    tty) shift && tty_pane "$@" ;;
    apart) apart "$@" ;;
    window) hf_log=$1 && window ;;
    feed) feed ;;
    keep) keep "$@" ;;
    exec) become_agent "$@" ;;
    *) fail "unknown stage '$hf_stage'" 64 ;;
  esac
}

# HUP stays untrapped: closing the pane ends shell, window and tail. Keeper and feeder have left this session
# by then.
pane() {
  claim_run
  # The person who watches the pane need not see what a shell prints about a killed feeder.
  exec 2>/dev/null
  if [ -e "$hf_run/in.jsonl" ]; then
    { new_session env -i PATH="$PATH" "$hf_mark" sh "$0" feed "$hf_run"; } </dev/null |
      { new_session sh "$0" keep "$hf_run" "$@"; } >/dev/null 2>&1 |
      sh "$0" window "$hf_run" "$hf_log"
  else
    { new_session sh "$0" keep "$hf_run" "$@"; } </dev/null >/dev/null 2>&1 |
      sh "$0" window "$hf_run" "$hf_log"
  fi
}

# The daemon has started this shell in a session of its own. The run gets its window when there is a tmux again.
apart() {
  claim_run
  exec </dev/null >/dev/null 2>&1
  if [ -e "$hf_run/in.jsonl" ]; then
    { new_session env -i PATH="$PATH" "$hf_mark" sh "$0" feed "$hf_run"; } |
      { exec sh "$0" keep "$hf_run" "$@"; }
  else
    exec sh "$0" keep "$hf_run" "$@"
  fi
}

# This shell leads the session. It must die of HUP, or the agent would outlive its pane. The inner shell survives HUP to
# write the exit record, and hides what shells print about a killed child. In the end `sleep` keeps the terminal open for a
# moment: tmux can miss a death that it sees only by the end of the terminal.
tty_pane() {
  claim_run
  (
    hf_hangup=false
    trap hf_hangup=true HUP
    trap : INT QUIT TERM
    (exec env -i PATH="$PATH" "$hf_mark" TERM="$TERM" ${COLORTERM+"COLORTERM=$COLORTERM"} \
      sh "$0" exec "$hf_run" "$@") 2>&3 3>&-
    hf_status=$?
    # The agent ended with its terminal if we got HUP, as it did, or if our stdin is no terminal any more. Each may come
    # alone: when the outer shell is killed, the kernel sends HUP long before tmux closes the terminal.
    [ -t 0 ] || hf_hangup=true
    record_end "$hf_status" ",\"hangup\":$hf_hangup"
    exit "$hf_status"
  ) 3>&2 2>/dev/null
  hf_status=$?
  (trap '' HUP && exec sleep 0.1) &
  exit "$hf_status"
}

# Only the agent and its feeder may carry the marker: all processes that carry it are ended with the run, and the keeper
# must not be among them.
claim_run() {
  mkdir -m 700 "$hf_run/claim" 2>/dev/null || fail 'this run was already started or called off' 1
  trap : INT QUIT
  unset HOLDFAST_RUN
}

# The first line says which process this is: from then on `keep` can end it. The other lines are for the agent.
feed() {
  exec 2>>"$hf_run/stderr.log"
  say_who_i_am >"$hf_run/feeder" || exit 126
  say_who_i_am
  # Warnings of tail about inotify must not end up in the agent's stderr.
  exec tail -n +1 -f "$hf_run/in.jsonl" 2>/dev/null
}

# The agent runs in the foreground, so that every shell goes on waiting when a trapped signal comes. The agent's shell
# starts with nothing but a PATH and the marker, which it carries from its first moment.
keep() {
  # Signals are ignored while the feeder's line is read, because a trap would cut the read short.
  trap '' HUP INT QUIT TERM
  [ -e "$hf_run/in.jsonl" ] && read -r hf_line
  trap : HUP INT QUIT TERM
  (new_session env -i PATH="$PATH" "$hf_mark" sh "$0" exec "$hf_run" "$@") \
    >>"$hf_run/events.jsonl" 2>>"$hf_run/stderr.log"
  hf_status=$?
  signal_recorded feeder KILL
  record_end "$hf_status"
}

# The pid stays the same through `exec`. A pid file that exists already means that the daemon voided this start.
# The daemon has created pid.new, private to us: so no umask is set here, which the agent would inherit.
become_agent() {
  say_who_i_am >"$hf_run/pid.new" || exit 126
  ln "$hf_run/pid.new" "$hf_run/pid" || not_started $?
  [ -e "$hf_run/in.jsonl" ] || exec <"$hf_run/prompt"
  load_environment || not_started $?
  cd -- "$PWD" || exit 126
  unset OLDPWD SHLVL
  exec "$@"
}

# Arguments: STATUS of what failed. 126 says that the agent cannot be started, and a person is asked. A helper that was
# killed says nothing like that: the start ended by the same signal, and is tried again.
not_started() {
  [ "$1" -gt 128 ] && exit "$1"
  exit 126
}

# One NAME=value per line; only newline and backslash are escaped, as \n and \\.
load_environment() {
  while IFS= read -r hf_line; do
    case $hf_line in
      # The dot keeps trailing newlines, which $() would drop.
      *\\*) hf_line=$(printf '%b.' "$hf_line") || return
        hf_line=${hf_line%.} ;;
    esac
    export "${hf_line?}"
  done <"$hf_run/env"
}

# Arguments: STATUS and, as JSON, what else belongs into the record. A start that was voided has no exit record. From here
# on signals end neither this shell nor what it starts.
record_end() {
  trap '' HUP INT QUIT TERM
  hf_pid=
  { read -r hf_pid <"$hf_run/pid"; } 2>/dev/null
  [ "$hf_pid" = void ] || record_exit "$1" "${2-}"
}

# The record is written whole or not at all. Many agents may end at once, so the usual signals are known without a fork.
# A status above 128 counts as the end by that signal, although a program may exit with such a status by itself.
record_exit() {
  umask 077
  hf_more=${2-}
  case $1 in
    130) hf_name=INT ;;
    137) hf_name=KILL ;;
    143) hf_name=TERM ;;
    129 | 1[3-9]? | 2??) hf_name=$(kill -l "$1" 2>/dev/null) ;;
    *) hf_name= ;;
  esac
  case $hf_name in
    [A-Z]*) hf_code=null hf_signal=\"$hf_name\" ;;
    *) hf_code=$1 hf_signal=null ;;
  esac
  # A `date` that does not know %3N prints some of its letters.
  hf_at=$(date '+%s %3N')
  case ${hf_at#* } in *[!0-9]*) hf_at="${hf_at% *} 000" ;; esac
  read_boot_id
  hf_id=${hf_run##*/} hf_exits=${hf_run%/*/*}/exits
  write_exit || { mkdir -p "$hf_exits" && write_exit; } || write_exit_late
}

write_exit() {
  printf '{"code":%s,"signal":%s,"at":%s%s,"boot_id":"%s"%s}\n' \
    "$hf_code" "$hf_signal" "${hf_at% *}" "${hf_at#* }" "$hf_boot_id" "$hf_more" \
    >"$hf_exits/.$hf_id.tmp" && mv -f "$hf_exits/.$hf_id.tmp" "$hf_exits/$hf_id.json"
}

# The disk is full, as it may have been for the agent too. The record is written when there is room, and says that it is late.
write_exit_late() {
  hf_more=$hf_more,\"late\":true
  while [ -d "$hf_run" ]; do
    sleep 1
    { mkdir -p "$hf_exits" && write_exit; } && return
  done
}

# tail runs in the background, where it ignores Ctrl-C, in the pane's process group, where it ends with the pane.
window() {
  hf_pressed=0
  trap ctrl_c INT
  trap : QUIT
  tail -n +1 -F "$hf_log" 2>/dev/null &
  hf_tail=$!
  trap 'kill "$hf_tail"; exit 143' TERM
  while kill -0 "$hf_tail" 2>/dev/null; do wait "$hf_tail"; done
}

ctrl_c() {
  hf_now=$(date +%s)
  if [ $((hf_now - hf_pressed)) -gt 2 ]; then
    hf_pressed=$hf_now
    echo '[holdfast] Ctrl-C again within 2 s interrupts the agent.'
    echo '[holdfast] To leave it running: the tmux prefix (Ctrl-B), then d.'
  elif : >"$hf_run/interrupted" && signal_recorded pid INT; then
    echo '[holdfast] The agent was interrupted.'
  else
    echo '[holdfast] The agent is not running.'
  fi
}

# Signals only the very process that was recorded: its pid may belong to another process by now.
signal_recorded() {
  read -r hf_pid hf_ticks hf_boot 2>/dev/null <"$hf_run/$1" || return 1
  read_start_ticks "$hf_pid"
  read_boot_id
  [ "$hf_boot $hf_ticks" = "$hf_boot_id $hf_start_ticks" ] && kill "-$2" "$hf_pid"
}

say_who_i_am() {
  read_start_ticks $$
  read_boot_id
  echo "$$ $hf_start_ticks $hf_boot_id"
}

# Becomes "$@" in a session of its own; call it in a subshell. macOS has no setsid, but perl.
new_session() {
  command -v setsid >/dev/null && exec setsid "$@"
  # shellcheck disable=SC2016 # perl's variables
  command -v perl >/dev/null && exec perl -MPOSIX -e 'POSIX::setsid(); exec { $ARGV[0] } @ARGV' "$@"
  echo 'holdfast: found neither setsid nor perl; install util-linux' >>"$hf_run/stderr.log"
  case $hf_stage in pane | apart) record_exit 127 ;; esac
  exit 127
}

# Field 22 of stat. The name in field 2 may hold blanks, parentheses and newlines, so take the last line and count
# from the name's end.
read_start_ticks() {
  hf_stat=
  while IFS= read -r hf_line; do hf_stat=$hf_line; done 2>/dev/null <"/proc/$1/stat"
  # shellcheck disable=SC2086 # split into fields
  set -- ${hf_stat##*")"}
  hf_start_ticks=${20:-0}
}

read_boot_id() {
  hf_boot_id=unknown
  { read -r hf_boot_id </proc/sys/kernel/random/boot_id; } 2>/dev/null
}

fail() {
  echo "holdfast: $1" >&2
  exit "$2"
}

main "$@"
