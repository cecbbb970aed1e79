import { LOGO_MAX_BYTES, LOGO_RULES, type Logo, LogoRewriter, type LogoType } from '@mailstead/core/brands/logo';
import { PartnerQueue } from '@mailstead/core/limits/partner-queue';
import { needs } from '@mailstead/core/needs';
import type { RequestOwner } from '@mailstead/core/partners/partner-scope';
import { rewritePng } from './png.js';
import { rewriteSvg } from './svg.js';
import { tooLargeAnew, unsafeLogo } from './unsafe-logo.js';

const REWRITERS: Record<LogoType, (file: Buffer) => Buffer | Promise<Buffer>> = {
  'image/png': rewritePng,
  'image/svg+xml': rewriteSvg,
};

/** The logos that wait: more than a person or a few programs send at once, and at most 32 MB of files in all. */
const WAITING_PER_PARTNER = 50;
const WAITING = 500;

/**
 * Writes one logo at a time, partners in turn: the pixels of a PNG may need 8 MB of memory, and a thread that hashes
 * passwords too.
 */
@needs()
export class SafeLogos extends LogoRewriter {
  private readonly queue = new PartnerQueue(
    {
      workers: 1,
      runningPerPartner: 1,
      waitingPerPartner: WAITING_PER_PARTNER,
      waiting: WAITING,
      waitMs: Number.POSITIVE_INFINITY,
    },
    { ofPartner: 'busy', ofQueue: 'busy' },
  );

  override rewrite(owner: RequestOwner | null, type: LogoType, bytes: Uint8Array): Promise<Logo> {
    return this.queue.run(owner ?? Symbol('service'), () => written(type, bytes), { refusable: owner !== null });
  }
}

async function written(type: LogoType, bytes: Uint8Array): Promise<Logo> {
  if (bytes.length > LOGO_MAX_BYTES) throw unsafeLogo(`must have at most ${LOGO_MAX_BYTES} bytes`);
  const file = await REWRITERS[type](Buffer.from(bytes));
  if (file.length > LOGO_MAX_BYTES) throw tooLargeAnew();
  return { type, rules: LOGO_RULES[type], data: file.toString('base64') };
}
