#!/usr/bin/env bash
# Prints what the screen reader Orca says of a page in Firefox: `speak.sh PAGE.html [KEY ...]`.
# Keys are those of xdotool: Tab, Down, Right. Needs Debian's orca, xvfb, openbox, dbus-x11,
# at-spi2-core, xdotool, speech-dispatcher, python3-speechd and firefox-esr; no sound.
set -uo pipefail
[ $# -ge 1 ] && [ -f "$1" ] || { echo 'usage: speak.sh PAGE.html [KEY ...]' >&2; exit 2; }
if [ -z "${SPEAK_SESSION:-}" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  SPEAK_SESSION=$work dbus-run-session -- "$0" "$(realpath "$1")" "${@:2}" >/dev/null 2>&1
  # Every utterance, without its time.
  sed -nE "s/^[0-9:.]+ - SPEECH OUTPUT: '(.*)' ?(\{.*\})?$/\1/p" "$work/orca.out"
  exit 0
fi

page=$1
shift
work=$SPEAK_SESSION
export HOME=$work/home XDG_RUNTIME_DIR=$work/run DISPLAY=:77 LANG=C.UTF-8 MOZ_ACCESSIBILITY=1
mkdir -p "$HOME" "$XDG_RUNTIME_DIR" "$work/profile"
chmod 700 "$XDG_RUNTIME_DIR"
for line in '"accessibility.force_disabled", -1' '"datareporting.policy.dataSubmissionEnabled", false' \
  '"browser.aboutwelcome.enabled", false' '"termsofuse.bypassNotification", true'; do
  echo "user_pref($line);" >>"$work/profile/user.js"
done
Xvfb "$DISPLAY" -screen 0 1280x900x24 &
sleep 1
openbox &
/usr/libexec/at-spi-bus-launcher --launch-immediately &
sleep 1
for what in IsEnabled ScreenReaderEnabled; do
  dbus-send --session --dest=org.a11y.Bus --print-reply /org/a11y/bus \
    org.freedesktop.DBus.Properties.Set string:org.a11y.Status "string:$what" variant:boolean:true
done
orca --replace --debug-file="$work/orca.out" &
sleep 6
firefox-esr --no-remote --profile "$work/profile" "file://$page" &
sleep 18
xdotool windowactivate "$(xdotool search --onlyvisible --class firefox | tail -n 1)"
sleep 2
for key in "$@"; do
  xdotool key "$key"
  sleep 1.5
done
kill $(jobs -p)
