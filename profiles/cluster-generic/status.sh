#!/bin/sh
# Print the state of a Slurm job: running, success or failed.
# If the controller does not answer, the state is unknown and the job counts as running.
state=$(squeue --noheader --states=all --format=%T --jobs="$1" 2>&1)
case "$state" in
  COMPLETED) echo success ;;
  *"Invalid job id"*) echo failed ;;
  BOOT_FAIL | CANCELLED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | TIMEOUT) echo failed ;;
  *) echo running ;;
esac
