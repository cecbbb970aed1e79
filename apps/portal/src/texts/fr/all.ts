import type { Texts } from '../texts.js';
import { card, dns, record } from './dns.js';
import { domain, status } from './domain.js';
import { door } from './door.js';
import { finding } from './finding.js';
import { frame } from './frame.js';
import { page } from './page.js';
import { provider } from './provider.js';
import { sending } from './sending.js';

export const fr = { card, dns, domain, door, finding, frame, page, provider, record, sending, status } satisfies Texts;
