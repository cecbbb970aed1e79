import type { Finding } from './finding.js';

/** The levels at which Dovecot complains. */
const LEVELS = new Set(['Warning', 'Error', 'Fatal', 'Panic']);

/** What Dovecot says when a limit is reached, and what follows. */
interface Complaint {
  text: RegExp;
  verdict: Finding['verdict'];
  consequence: string;
}

/** Texts of Dovecot 2.3 and 2.4. The first one that fits a line holds. */
const COMPLAINTS: readonly Complaint[] = [
  {
    text: /^service\((imap|pop3)\): process_limit \(\d+\) reached/,
    verdict: 'wrong',
    consequence:
      'mail programs were refused, because more sessions would have been open than dovecot.sessions allows; raise it, render, copy and restart Dovecot',
  },
  {
    text: /^service\((imap|pop3)-login\): process_limit \(\d+\) reached/,
    verdict: 'warning',
    consequence: 'so many connections were open that the oldest ones without a login were ended',
  },
  {
    text: /^service\([\w-]+\): (process|client)_limit \(\d+\) reached/,
    verdict: 'wrong',
    consequence: 'connections inside Dovecot were refused, so logins or deliveries waited or failed',
  },
  {
    text: /is lower than required under max\. load|: Too many open files$/,
    verdict: 'wrong',
    consequence:
      'sessions are refused before dovecot.sessions are open; copy the rendered systemd/dovecot.service.d, run `systemctl daemon-reload` and restart Dovecot',
  },
  {
    text: /returned error 83 \(Out of memory|: Cannot allocate memory$/,
    verdict: 'wrong',
    consequence:
      'a process ended or could not read an index, because it needed more memory than vsz_limit or this host has',
  },
  {
    text: /^Inotify (instance|watch) limit for user /,
    verdict: 'warning',
    consequence:
      'sessions that wait for new mail hear of it up to 30 s late; copy the rendered sysctl.d and run `systemctl restart systemd-sysctl`',
  },
];

/** The first mark of a level divides what Dovecot writes itself from texts that others choose, such as a Message-ID. */
const MARK = /: (Debug|Info|Warning|Error|Fatal|Panic): /;
const SHOWN_CHARACTERS = 300;

/** Returns a finding for each kind of complaint about a limit in lines of Dovecot's log, with the last line of each. */
export function limitComplaints(lines: readonly string[]): Finding[] {
  const found = new Map<Complaint, { count: number; last: string }>();
  for (const line of lines) {
    const mark = MARK.exec(line);
    if (mark === null || !LEVELS.has(mark[1] ?? '')) continue;
    const text = line.slice(mark.index + mark[0].length);
    const complaint = COMPLAINTS.find((each) => each.text.test(text));
    if (complaint === undefined) continue;
    found.set(complaint, { count: (found.get(complaint)?.count ?? 0) + 1, last: line });
  }
  return [...found].map(([{ verdict, consequence }, { count, last }]) => ({
    verdict,
    sentence: `Dovecot's log has ${count} ${count === 1 ? 'line' : 'lines'} about a limit, the last one "${last.slice(0, SHOWN_CHARACTERS)}": ${consequence}.`,
  }));
}
