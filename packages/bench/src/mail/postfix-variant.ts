import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The addresses of a platform, for the static maps. */
export interface StaticMaps {
  /** The content of each map by the name of its file in `sql/`; a map without content is empty. */
  [name: string]: readonly (readonly [key: string, value: string])[];
}

/**
 * - `plain`: static maps, and no service is asked. The limit of this machine's Postfix.
 * - `maps`: the rendered maps in the database and Dovecot's quota policy; neither policy daemon nor milter.
 * - `whole`: everything as rendered.
 */
export type VariantName = 'plain' | 'maps' | 'whole';

export interface VariantPlace {
  name: VariantName;
  /** The folder with the rendered files, which name it in their paths. */
  rendered: string;
  /** The variant's own folder; it must not exist. */
  folder: string;
  /** The rendered ports, and the variant's own ones. */
  ports: { rendered: { mx: number; submission: number }; own: { mx: number; submission: number } };
  lmtpPort: number;
  maps: StaticMaps;
}

export const INSTANCES = ['postfix', 'postfix-submission'] as const;
export type Instance = (typeof INSTANCES)[number];

/** A Postfix with both instances, with the rendered configuration or a part of it. */
export class PostfixVariant {
  private constructor(private readonly place: VariantPlace) {}

  static start(place: VariantPlace): PostfixVariant {
    const variant = new PostfixVariant(place);
    mkdirSync(place.folder, { mode: 0o755 });
    for (const instance of INSTANCES) {
      variant.configure(instance);
      variant.run(instance, 'start');
    }
    return variant;
  }

  get name(): VariantName {
    return this.place.name;
  }

  get ports(): { mx: number; submission: number } {
    return this.place.ports.own;
  }

  /** The process ids of the two master processes. */
  get masters(): number[] {
    return INSTANCES.map((instance) => Number(readFileSync(join(this.queue(instance), 'pid/master.pid'), 'utf8')));
  }

  /** Returns the number of messages in each queue. @throws Error when one is deferred. */
  queues(instance: Instance): Record<string, number> {
    const count = (name: string) =>
      readdirSync(join(this.queue(instance), name), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length;
    const deferred = count('deferred');
    if (deferred > 0) {
      throw new Error(`${deferred} messages were deferred by ${instance} of ${this.name}: ${this.problem()}`);
    }
    return { maildrop: count('maildrop'), incoming: count('incoming'), active: count('active') };
  }

  /** Returns the last problem in the log, because the log is removed with the bench's folder. */
  private problem(): string {
    const log = readFileSync(join(this.place.folder, 'postfix.log'), 'utf8');
    return log.match(/^.*(?:status=deferred|fatal: |warning: ).*$/gm)?.at(-1) ?? 'the log does not tell why';
  }

  private run(instance: Instance, command: string): void {
    const { status } = spawnSync('postfix', ['-c', this.config(instance), command], { stdio: 'ignore' });
    if (status !== 0) throw new Error(`postfix ${command} failed: see ${this.place.folder}/postfix.log`);
  }

  private config(instance: Instance): string {
    return join(this.place.folder, instance);
  }

  private queue(instance: Instance): string {
    return join(this.place.folder, `${instance}-queue`);
  }

  private configure(instance: Instance): void {
    const { folder, rendered, ports } = this.place;
    const config = this.config(instance);
    cpSync(join(rendered, instance), config, { recursive: true });
    for (const file of readdirSync(join(config, 'sql'))) execFileSync('chgrp', ['postfix', join(config, 'sql', file)]);
    const data = join(folder, `${instance}-data`);
    mkdirSync(this.queue(instance), { mode: 0o755 });
    mkdirSync(data, { mode: 0o700 });
    execFileSync('chown', ['postfix', data]);
    this.rewrite(join(config, 'main.cf'), (text) => text.replaceAll(`${rendered}/postfix`, `${folder}/postfix`));
    this.rewrite(join(config, 'master.cf'), (text) =>
      text
        .replace(`:${ports.rendered.mx} inet`, `:${ports.own.mx} inet`)
        .replace(`:${ports.rendered.submission} inet`, `:${ports.own.submission} inet`),
    );
    if (this.name === 'plain') this.useStaticMaps(config);
    this.rewrite(join(config, 'main.cf'), (text) => withSettings(text, this.settings()));
  }

  private rewrite(file: string, change: (text: string) => string): void {
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }

  /** Replaces each map of the database by a hash file with the same rows. */
  private useStaticMaps(config: string): void {
    const names = readdirSync(join(config, 'sql')).map((file) => file.replace(/\.cf$/, ''));
    for (const name of names) {
      const file = join(config, name);
      writeFileSync(file, (this.place.maps[name] ?? []).map(([key, value]) => `${key} ${value}\n`).join(''));
      execFileSync('postmap', ['-c', config, `hash:${file}`]);
    }
    this.rewrite(join(config, 'main.cf'), (text) =>
      text
        .replaceAll(/pipemap:\{.*?\$\{(?:sql|routing)\}([a-z-]+)\.cf\}/g, 'hash:$config_directory/$1')
        .replaceAll(/\$\{(?:sql|routing)\}([a-z-]+)\.cf/g, 'hash:$config_directory/$1'),
    );
  }

  private settings(): Record<string, string> {
    const { lmtpPort } = this.place;
    // No TLS and no password: their cost is the same in each variant, and would hide the rest.
    const client = {
      smtpd_authorized_xclient_hosts: '127.0.0.0/8',
      smtpd_tls_security_level: 'none',
      smtpd_tls_auth_only: 'no',
      smtpd_client_connection_count_limit: '0',
      // There is no postsrsd, and no mail is forwarded.
      sender_canonical_maps: '',
      recipient_canonical_maps: '',
      lmtp_generic_maps: '',
    };
    const sinks = {
      virtual_transport: `lmtp:inet:127.0.0.1:${lmtpPort}`,
      smtp_tls_security_level: 'none',
      smtp_sasl_auth_enable: 'no',
    };
    const services: Record<VariantName, Record<string, string>> = {
      plain: { quota_policy: '', outbound_policy: '', outside_policy: '', smtpd_milters: '' },
      maps: { outbound_policy: '', outside_policy: '', smtpd_milters: '' },
      whole: {},
    };
    return { ...client, ...sinks, ...services[this.name] };
  }
}

/** Sets parameters in a main.cf. A parameter that is there twice makes every program of Postfix log a warning. */
function withSettings(text: string, settings: Record<string, string>): string {
  const names = Object.keys(settings).join('|');
  const others = text.replaceAll(new RegExp(`^(${names}) *=.*\n(?:[ \t].*\n)*`, 'gm'), '');
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  return `${others}${lines.join('')}`;
}
