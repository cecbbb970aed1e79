import { LOGO_MAX_BYTES, type Logo, LogoRewriter, type LogoType } from '@mailstead/core/brands/logo';
import { Mutex } from '@mailstead/core/mutex';
import { needs } from '@mailstead/core/needs';
import { rewritePng } from './png.js';
import { rewriteSvg } from './svg.js';
import { unsafeLogo } from './unsafe-logo.js';

const REWRITERS: Record<LogoType, (file: Buffer) => Buffer | Promise<Buffer>> = {
  'image/png': rewritePng,
  'image/svg+xml': rewriteSvg,
};

/** Writes one logo at a time: the pixels of a PNG may need 8 MB of memory, and a thread that hashes passwords too. */
@needs()
export class SafeLogos extends LogoRewriter {
  private readonly oneByOne = new Mutex();

  override rewrite(type: LogoType, bytes: Uint8Array): Promise<Logo> {
    return this.oneByOne.run(async () => {
      if (bytes.length > LOGO_MAX_BYTES) throw unsafeLogo(`must have at most ${LOGO_MAX_BYTES} bytes`);
      const file = await REWRITERS[type](Buffer.from(bytes));
      if (file.length > LOGO_MAX_BYTES)
        throw unsafeLogo(`must have at most ${LOGO_MAX_BYTES} bytes after it was written anew; make it smaller`);
      return { type, data: file.toString('base64') };
    });
  }
}
