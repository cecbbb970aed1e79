import { RelayTrafficLog } from '../relay/relay-traffic-log.js';

export class SilentRelayTraffic extends RelayTrafficLog {
  override counted(): void {}

  override async heard(): Promise<void> {}
}
