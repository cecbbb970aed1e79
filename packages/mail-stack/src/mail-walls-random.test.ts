import { describeRelayWalls } from './testing/relay-walls.js';

describeRelayWalls(3, 20_261_121);
