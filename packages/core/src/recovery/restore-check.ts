import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { RestoreGate } from './restore-gate.js';

/** Keeps the process unready until the operator accepts the restored database. */
@needs(RestoreGate)
export class RestoreCheck extends HealthCheck {
  override readonly name = 'restore';

  constructor(private readonly gate: RestoreGate) {
    super();
  }

  override async problem(): Promise<string | null> {
    return this.gate.isClosed
      ? 'The database was restored from a backup: look at `npm run restore -- --show`, then accept it with `--accept`'
      : null;
  }
}
