#!/usr/bin/env bash
# The step of a GitHub workflow that examines: action.yml runs it, and a workflow that has the package installed may.
# Inputs come as INPUT_BASE_URL, INPUT_AREAS and so on, credentials as the variables of .env.example.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
exec node "$root/dist/lib/cli/github-main.js"
