#!/usr/bin/env bash
# The tables of docs/reference/model-orders.md: 5,000 scenes, questions, features, models, predictions, two studies.
# bash experiments/abstract-world/run.sh FOLDER [orders|pairs|explainer]   what is there is not made again; a stopped training goes on
set -euo pipefail
recipes=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"
what=${2:-all}
export OMP_NUM_THREADS=1 LC_ALL=C
features=$PWD/world/features

made() { [ -e "$1/benchmark.json" ] || [ -e "$1/features.json" ] || [ -e "$1/config.json" ]; }

world() {
  made world || eyechart scenes generate -n 5000 --seed 7 -o world -q
  [ -d world/images ] || eyechart scenes render world -q
  for view in objects grid vector; do
    side=7; [ $view != objects ] || side=2
    made world/features/$view || eyechart encode world --encoder efficientnet-lite0+colors --view $view --side $side --name $view -q
  done
  made world/features/scene || eyechart encode world --view scene --name scene -q
}

# train RECIPE BENCHMARK FEATURES RUN: a training that is stopped ends everything, and goes on the next time
train() {
  mkdir -p runs
  [ "$3" = - ] && seen=() || seen=(--features "$features/$3")
  made "runs/$4" || eyechart train "$1" "$2" ${seen[@]+"${seen[@]}"} -o "runs/$4" -q || exit 255
}

# answer RUN BENCHMARK FEATURES PREDICTIONS
answer() {
  [ "$3" = - ] && seen=() || seen=(--features "$features/$3")
  made "$4" || eyechart predict "runs/$1" "$2" --split test ${seen[@]+"${seen[@]}"} -o "$4" -q
}

order() { train "$recipes/$1.toml" balanced "$2" "$1"; answer "$1" balanced "$2" "predictions/$1"; }
count() { made "runs/$1" || eyechart train "$1" balanced -o "runs/$1" -q; answer "$1" balanced - "predictions/$1"; }

# design RECIPE FEATURES NAME: trained on the unbalanced questions, on a half of the balanced ones, on all of them
design() {
  train "$recipes/$1.toml" UU "$2" "$3-u"
  answer "$3-u" UU "$2" "predictions-of-pairs/$3@uu"
  answer "$3-u" UB "$2" "predictions-of-pairs/$3@ub"
  train "$recipes/$1.toml" BhalfB "$2" "$3-half"
  answer "$3-half" BhalfB "$2" "predictions-of-pairs/$3@bhalf-b"
  train "$recipes/$1.toml" BB "$2" "$3-b"
  answer "$3-b" BB "$2" "predictions-of-pairs/$3@bb"
}
export -f made train answer order design
export recipes features

orders() {
  made asked || eyechart ask world -o asked --per-image 120 --seed 7 -q
  made balanced || eyechart balance asked -o balanced -q --mix.query 0.5 --mix.verify 0.2 --mix.choose 0.15 --mix.logical 0.1 \
    --mix.compare 0.05 --split.train 0.7 --split.val 0.1 --split.test 0.2
  made entailed || eyechart entail balanced -o entailed -q
  for name in prior type-prior global-prior local-prior; do count $name; done
  xargs -P "${JOBS:-2}" -L 1 bash -c 'order "$@"' order <<'MODELS'
mac-perfect-sight scene
gqa-lstm -
deeper-lstm-q -
deeper-lstm-q-norm-i vector
gqa-cnn-lstm grid
bottom-up objects
mac-objects objects
mac-spatial grid
mac-programs objects
gqa-cnn grid
MODELS
  eyechart study model-orders entailed --predictions predictions --json |
    python "$recipes/tables.py" accuracy open binary consistency | tee orders.md
}

pairs() {
  made few || eyechart ask world -o few --per-image 6 --seed 7 -q
  made paired || eyechart complement few -o paired -q
  for name in UU UB BhalfB BB; do made $name || eyechart resplit paired -o $name --scheme apply --apply $name -q; done
  xargs -P "${JOBS:-2}" -L 1 bash -c 'design "$@"' design <<'MODELS'
pairs-deeper-lstm-q - deeper-lstm-q
pairs-deeper-lstm-q-norm-i vector deeper-lstm-q-norm-i
pairs-hiecoatt-parallel objects hiecoatt-parallel
pairs-mcb objects mcb
MODELS
  for name in UU UB BhalfB BB; do
    design=$(echo $name | tr '[:upper:]' '[:lower:]')
    made runs/prior-$name || eyechart train prior $name -o runs/prior-$name -q
    answer prior-$name $name - "predictions-of-pairs/prior@${design/bhalfb/bhalf-b}"
  done
  eyechart study vqa2-table-1 BB --predictions predictions-of-pairs --json | python "$recipes/tables.py" accuracy | tee pairs.md
}

explainer() {
  [ -e explanations/explanations.parquet ] && return
  eyechart explain runs/explainer paired -o explanations --train --train-split train --split test --features "$features/vector" --epochs 8
}

world
case $what in
  all) orders; pairs; explainer ;;
  *) "$what" ;;
esac
