// @ts-check
// A root of Debian 13 (trixie) with the mail servers, and commands that run in it, in namespaces of their own.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ended, guardFolder, ROOT, spawnGroup } from './processes.mjs';
import { aptInstall, FOLDERS } from './service-programs.mjs';

/** The packages of docs/mail-stack.md, and what the tests need beside them. */
const PACKAGES = `postfix postfix-mysql libsasl2-modules mariadb-server valkey-server
  dovecot-core dovecot-imapd dovecot-lmtpd dovecot-pop3d dovecot-mysql dovecot-sieve
  rspamd logrotate faketime openssl ca-certificates curl python3`.split(/\s+/);
const RELEASE = 'trixie';
/** Has the list of packages of a root that is complete. */
const MARK = 'mailstead-packages';

/**
 * No service starts, and Postfix asks nothing. What apt downloaded is removed. `/proc` is mounted in namespaces that
 * end with the shell.
 */
const MAKE = `set -e
root=$1 mirror=$2
shift 2
mount --make-rprivate /
debootstrap --variant=minbase ${RELEASE} "$root" "$mirror"
mount -t proc proc "$root/proc"
printf '#!/bin/sh\\nexit 101\\n' >"$root/usr/sbin/policy-rc.d"
chmod 0755 "$root/usr/sbin/policy-rc.d"
printf 'postfix postfix/main_mailer_type select No configuration\\n' | chroot "$root" debconf-set-selections
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
chroot "$root" apt-get -qq update
chroot "$root" apt-get -qq -y --no-install-recommends install "$@"
chroot "$root" apt-get clean
rm -rf "$root"/var/lib/apt/lists/*
umount "$root/proc"`;

/**
 * Mounts what a command needs into a root, and runs it there, in the folder of the checkout. The mounts are in a
 * namespace of this shell, so they end with it.
 */
const RUN = `set -e
root=$1 temporary=$2 node=$3 checkout=$4
shift 4
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$temporary" "$root/tmp"
touch "$root/usr/local/bin/node"
mount --bind "$node" "$root/usr/local/bin/node"
mkdir -p "$root$checkout"
mount --bind "$checkout" "$root$checkout"
cp /etc/hosts /etc/resolv.conf "$root/etc/"
trap : TERM INT HUP
chroot "$root" env -C "$checkout" "$@" <&0 &
child=$!
code=0
wait $child || code=$?
while kill -0 $child 2>/dev/null; do wait $child || code=$?; done
exit $code`;

/**
 * Returns one sentence with what is missing for such a root on this machine; null when nothing is. debootstrap is
 * installed where it can be.
 */
export async function missingForRoot() {
  if (process.platform !== 'linux') return 'a root of Debian needs Linux';
  if (process.getuid?.() !== 0) return 'a root of Debian is made by root only';
  if (!found('unshare')) return 'unshare not found: apt-get install util-linux';
  const namespaces = spawnGroup('unshare', [...NAMESPACES, 'true'], { stdio: 'ignore' });
  if ((await ended(namespaces)).code !== 0) return 'this machine lets root make no namespaces of its own (unshare)';
  if (!found('debootstrap') && existsSync('/usr/bin/apt-get')) await aptInstall(['debootstrap']);
  return found('debootstrap') ? null : 'debootstrap not found: apt-get install debootstrap';
}

/** The first process in them is killed with the program that made them, and all others with it. */
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child=KILL'];
/** Without processes of their own: the numbers in the files of servers are those of this machine. */
const MOUNTS = ['--mount'];

/**
 * Returns the folder of a complete root in the cache folder of the checkout. It is made when there is none with these
 * packages; a half-made one is removed. @throws Error with the reason in one line.
 */
export async function debianRoot(cache = join(ROOT, '.npm-test')) {
  const root = join(cache, `${RELEASE}-${process.arch}`);
  const wanted = `${PACKAGES.join(' ')}\n`;
  if ((await readFile(join(root, MARK), 'utf8').catch(() => '')) === wanted) return root;
  await removeHalves(root);
  const draft = `${root}.${process.pid}`;
  const mirror = process.env.MAILSTEAD_TEST_DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';
  console.error(`Making a root of Debian ${RELEASE} from ${mirror} (two minutes) …`);
  await mkdir(draft, { recursive: true });
  guardFolder(draft);
  try {
    const child = spawnGroup('unshare', [...NAMESPACES, 'sh', '-c', MAKE, 'sh', draft, mirror, ...PACKAGES], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let last = '';
    const note = (/** @type {string} */ text) => {
      for (const line of text.split('\n'))
        if (/^(E|W|Err|dpkg):/.test(line) || (line !== '' && last === '')) last = line;
    };
    child.stdout?.setEncoding('utf8').on('data', note);
    child.stderr?.setEncoding('utf8').on('data', note);
    const { code } = await ended(child);
    if (code !== 0)
      throw new Error(`${mirror} gives no root of Debian ${RELEASE}: ${last || 'debootstrap was stopped'}`);
    await writeFile(join(draft, MARK), wanted);
    await rm(root, { recursive: true, force: true });
    await rename(draft, root);
    return root;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Starts a command in a root, in the folder of the checkout and with this Node. When the returned process ends, also by
 * SIGKILL, nothing is mounted any more, and all processes in the root end too unless they are to outlive it.
 * @param {string} root
 * @param {readonly string[]} command
 * @param {object} options
 * @param {string} options.temporary The folder of this machine that is `/tmp` in the root.
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {boolean} [options.outlives]
 * @param {import('node:child_process').StdioOptions} [options.stdio]
 */
export function spawnInRoot(root, command, { temporary, env = {}, outlives = false, stdio }) {
  const namespaces = outlives ? MOUNTS : NAMESPACES;
  const places = [root, temporary, process.execPath, ROOT.replace(/\/$/, '')];
  return spawnGroup('unshare', [...namespaces, 'bash', '-c', RUN, 'bash', ...places, ...command], {
    env: { ...env, PATH: FOLDERS.join(':'), TMPDIR: '/tmp', HOME: '/root' },
    ...(stdio === undefined ? {} : { stdio }),
  });
}

/** @param {string} root */
async function removeHalves(root) {
  const names = await readdir(dirname(root)).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(`${basename(root)}.`))) {
    // The number after the dot is that of the process that makes it.
    if (!existsSync(`/proc/${name.split('.').at(-1)}`))
      await rm(join(dirname(root), name), { recursive: true, force: true });
  }
}

/** @param {string} program */
function found(program) {
  return FOLDERS.some((folder) => existsSync(join(folder, program)));
}
