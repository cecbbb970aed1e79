import { Config } from '@mailstead/adapters/config';
import { needs } from '@mailstead/core/needs';

/** Makes links into the portal. A code stands after `#`, so that browsers send it to no server. */
@needs(Config)
export class PortalUrls {
  private readonly origin: string;

  /** Without `PUBLIC_URL`, the links begin with their path. */
  constructor({ publicUrl }: Pick<Config, 'publicUrl'>) {
    this.origin = publicUrl === null ? '' : new URL(publicUrl).origin;
  }

  entrance(code: string): string {
    return `${this.origin}/portal/enter#code=${code}`;
  }
}
