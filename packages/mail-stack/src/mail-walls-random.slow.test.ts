import { describeRelayWalls } from './testing/relay-walls.js';

describeRelayWalls(40, 9_041_970);
