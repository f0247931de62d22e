"""Runs the fuzzer in several processes and adds up their totals.

    jobs.py BINARY JOBS SEED [OPTION..]

Job j draws the programs of the seed SEED + j * 2^16. Its output goes to standard output, line by
line; the last line has the totals. Exit status 1 if a job fails, however it does.
"""

import collections
import subprocess
import sys
import threading


def totals_of(line):
    """The numbers of a job's last line, without its seed."""
    return {name: int(value) for name, value in (word.split("=") for word in line.split())
            if name != "seed"}


def follow(job, process, last):
    """Prints the output of a job; keeps its line of totals."""
    for line in process.stdout:
        if line.startswith(("programs=", "so far: ")):
            last[job] = line.removeprefix("so far: ")
        else:
            print(f"[{job}] {line}" if len(last) > 1 else line, end="", flush=True)
    process.wait()


def main(binary, jobs, seed, *options):
    last = [""] * int(jobs)
    processes, threads = [], []
    for job in range(int(jobs)):
        command = [binary, *options, "--seed", str(int(seed) + (job << 16))]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True)
        processes.append(process)
        threads.append(threading.Thread(target=follow, args=(job, process, last)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    totals = collections.Counter()
    for job, (process, line) in enumerate(zip(processes, last)):
        totals.update(totals_of(line) if line else {})
        if process.returncode not in (0, 1):
            print(f"job {job} ended with status {process.returncode}; totals are from its last report")
    names = ["programs", "schedules", "accepted", "refused", "mismatches", "illegal_accepted",
             "false_refusals"]
    print(*(f"{name}={totals[name]}" for name in names), f"seed={seed}", flush=True)
    return 1 if any(p.returncode != 0 for p in processes) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
