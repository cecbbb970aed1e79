import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { SharedBytes } from '../http/shared-bytes.js';

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The encodings in which the build wrote its files, best first, with the ending of the file's name. */
const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

export interface Asset {
  contentType: string;
  /** Null for the file as it is. */
  encoding: string | null;
  /** Includes the encoding, because each encoding is another representation (RFC 9110 section 8.8.3). */
  etag: string;
  /** Returns the bytes, which all responses share. */
  read: () => Promise<Buffer>;
}

interface Build {
  builtAtMs: number;
  html: string;
  /** The names of the files in `assets`. Only these are served, so no name leads out of the folder. */
  assets: ReadonlySet<string>;
  bytes: SharedBytes;
}

/** The files that the build of the portal wrote. A newer build is noticed at the next request of its page. */
export class BuiltPage {
  private build: Build | null = null;

  constructor(private readonly folder: string) {}

  /** Returns the page; null when the portal has not been built. */
  async html(): Promise<string | null> {
    return (await this.current())?.html ?? null;
  }

  /** Returns a file in the best encoding that the client accepts; null when there is no such file. */
  async asset(name: string, acceptEncoding: string): Promise<Asset | null> {
    const build = this.build ?? (await this.current());
    const contentType = MEDIA_TYPES[extname(name)];
    if (build?.assets.has(name) !== true || contentType === undefined) return null;
    const { assets, bytes } = build;
    const best = ENCODINGS.find(({ encoding, ending }) => {
      return assets.has(name + ending) && accepts(acceptEncoding, encoding);
    });
    const file = name + (best?.ending ?? '');
    return {
      contentType,
      encoding: best?.encoding ?? null,
      // The name contains the hash of the content.
      etag: `"${createHash('sha256').update(file).digest('base64url').slice(0, 22)}"`,
      read: () => bytes.of(file),
    };
  }

  private async current(): Promise<Build | null> {
    const path = join(this.folder, 'index.html');
    const builtAtMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
    if (builtAtMs === null) this.build = null;
    else if (builtAtMs !== this.build?.builtAtMs) {
      const folder = join(this.folder, 'assets');
      const [html, names] = await Promise.all([readFile(path, 'utf8'), readdir(folder)]);
      const bytes = new SharedBytes((name) => readFile(join(folder, name)));
      this.build = { builtAtMs, html, assets: new Set(names), bytes };
    }
    return this.build;
  }
}

/** Whether an `Accept-Encoding` names the encoding without refusing it (`q=0`). */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
