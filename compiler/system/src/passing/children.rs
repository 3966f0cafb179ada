//! Child processes. Each leads its own process group, so that it ends together with its
//! descendants.
#![allow(clippy::disallowed_methods, reason = "this module starts programs and waits for them")]

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::passing;

/// Time between two polls of a process that has closed its output.
const PAUSE: Duration = Duration::from_millis(1);

/// A running process. Dropping ends it.
pub struct Running {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Running {
    /// Starts `command`. Fails when aiec is about to end.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut all = passing();
        all.may_begin()?;
        let child = command.process_group(0).spawn()?;
        all.groups.insert(child.id());
        Ok(Self { child, ended: None })
    }

    /// The exit status. Returns None while the process runs.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            // After the wait the system may reuse the process id, so the lock keeps `end` from
            // killing it in between.
            let mut all = passing();
            self.ended = self.child.try_wait()?;
            if self.ended.is_some() {
                all.groups.remove(&self.child.id());
            }
        }
        Ok(self.ended)
    }

    fn wait(&mut self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Ends the process and all its descendants in the group.
    pub fn end(&mut self) -> io::Result<()> {
        if self.try_wait()?.is_none() {
            kill(self.child.id());
            self.wait()?;
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Kills every process of a group.
pub(super) fn kill(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Runs `command` to its end, without input. Returns its output and exit status.
pub fn output(command: &mut Command) -> io::Result<Output> {
    let mut running =
        Running::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let (mut out, mut err) = (running.child.stdout.take(), running.child.stderr.take());
    let (stdout, stderr) = std::thread::scope(|scope| {
        let stdout = scope.spawn(|| read(&mut out));
        let stderr = read(&mut err);
        (stdout.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), stderr)
    });
    let (stdout, stderr) = (stdout?, stderr?);
    Ok(Output { status: running.wait()?, stdout, stderr })
}

fn read(pipe: &mut Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match pipe {
        Some(pipe) => pipe.read_to_end(&mut bytes).map(|_| bytes),
        None => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_and_the_status_come_back() {
        let script = "for i in $(seq 20000); do echo out $i; echo err $i >&2; done; exit 3";
        let output = output(&mut shell(script)).expect("there is a shell");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(3), output.stderr.len()));
        assert!(output.stdout.ends_with(b"out 20000\n") && output.stderr.ends_with(b"err 20000\n"));
    }

    #[test]
    fn what_a_program_started_ends_with_it() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let file = folder.path().join("pid");
        let mut running =
            Running::start(&mut shell(&format!("sleep 600 & echo $! > '{}'; wait", file.display())));
        let running = running.as_mut().expect("there is a shell");
        let pid = loop {
            match std::fs::read_to_string(&file).ok().and_then(|text| text.trim().parse::<u32>().ok()) {
                Some(pid) => break pid,
                None => std::thread::sleep(PAUSE),
            }
        };
        assert!(running.try_wait().expect("ours").is_none());
        running.end().expect("ours");
        while is_there(pid) {
            std::thread::sleep(PAUSE);
        }
    }

    /// True while a process runs that has not been waited for.
    fn is_there(pid: u32) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
    }
}
