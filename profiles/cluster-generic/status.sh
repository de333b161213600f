#!/bin/sh
# Print what became of a job of Slurm: running, success or failed.
# A controller that does not answer says nothing of the job, which is then taken to be running.
state=$(squeue --noheader --states=all --format=%T --jobs="$1" 2>&1)
case "$state" in
  COMPLETED) echo success ;;
  *"Invalid job id"*) echo failed ;;
  BOOT_FAIL | CANCELLED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | TIMEOUT) echo failed ;;
  *) echo running ;;
esac
