import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { PurgeMarks } from './purge-marks.js';

/** Warns of domains whose lowered retention the purge does not apply before it is released. */
@needs(PurgeMarks)
export class PurgeBrakeCheck extends HealthCheck {
  override readonly name = 'purge_brake';
  override readonly isWarning = true;

  constructor(private readonly marks: PurgeMarks) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      const held = await this.marks.held();
      if (held === 0) return null;
      return `The purge keeps the former retention of ${held} domains, because too many were lowered at once; correct them, or run retention.purge with release_brake`;
    } catch {
      return 'The marks of the purge cannot be read';
    }
  }
}
