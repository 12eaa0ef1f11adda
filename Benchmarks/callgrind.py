"""Programs under callgrind."""
import subprocess


def command(out, *options):
    """What stands in front of a program that is to be watched; what was seen of it is written into `out`."""
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *options]


def stripped(program, folder):
    """The program without what valgrind cannot read of it: debugging information of this Swift."""
    subprocess.run(["strip", "-g", "-o", folder / program.name, program], check=True)
    return folder / program.name
