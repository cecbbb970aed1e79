import { Batcher } from '@mailstead/core/batcher';
import type { Clock } from '@mailstead/core/clock';
import type { Meters } from '@mailstead/core/meters';
import { Session } from '@mailstead/core/sessions/session';
import type { FoundSession } from '@mailstead/core/sessions/session-repository';
import { KeyChains } from '../api-keys/key-chains.js';
import { type Database, placeholders } from '../driver/database.js';
import { Table } from '../driver/table.js';
import { PortalLinkRows } from '../portal-links/portal-link-rows.js';

/**
 * The look-up of a session with its key or its link. Every request of the portal makes one; concurrent look-ups share
 * one statement, and those of links a second one: with the columns of links in the first, it took half as long again.
 * Plain SQL, as for tokens (`ApiKeyStatements`).
 */
export class SessionStatements {
  private readonly sessions: Table<Session>;
  private readonly chains: KeyChains;
  private readonly links: PortalLinkRows;
  private readonly lookUps: Batcher<string, FoundSession | null>;

  constructor(
    private readonly database: Database,
    clock: Clock,
    meters: Meters,
  ) {
    this.sessions = new Table(database, Session);
    this.chains = new KeyChains(database);
    this.links = new PortalLinkRows(database, clock);
    this.lookUps = new Batcher(
      (hashes) => {
        meters.batch('sessions', hashes.length);
        return this.findAll(hashes);
      },
      { maxItems: 500, maxInFlight: 2 },
    );
  }

  findByHash(tokenHash: string): Promise<FoundSession | null> {
    return this.lookUps.call(tokenHash);
  }

  private async findAll(hashes: string[]): Promise<(FoundSession | null)[]> {
    const distinct = [...new Set(hashes)];
    const rows = await this.database.read(
      `SELECT ${this.sessions.columns('s')}, ${this.chains.columns}
         FROM portal_session s
         LEFT JOIN api_key k0 ON k0.id = s.key_id
         LEFT JOIN partner p ON p.id = k0.partner_id ${this.chains.makerJoins}
        WHERE s.token_hash IN (${placeholders(distinct)})`,
      distinct,
    );
    const sessions = rows.map((row) => ({
      session: this.sessions.hydrate(row, 's'),
      chain: this.chains.hydrateOptional(row),
    }));
    const linkIds = sessions.map(({ session }) => session.linkId).filter((id) => id !== null);
    const links = new Map((await this.links.find('id', [...new Set(linkIds)])).map((found) => [found.link.id, found]));
    const byHash = new Map(
      sessions.map((each) => [each.session.tokenHash, { ...each, link: links.get(each.session.linkId ?? 0) ?? null }]),
    );
    return hashes.map((hash) => byHash.get(hash) ?? null);
  }
}
