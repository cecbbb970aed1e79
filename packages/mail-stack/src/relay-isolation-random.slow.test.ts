import { describeRelayIsolation } from './testing/relay-isolation.js';

describeRelayIsolation(25, 9_041_970);
