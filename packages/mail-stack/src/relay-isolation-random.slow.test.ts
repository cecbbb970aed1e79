import { describeRelayIsolation } from './testing/relay-isolation.js';

describeRelayIsolation(25);
