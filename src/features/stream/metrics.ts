import { Gauge } from 'prom-client';

export const openStreamCount = new Gauge({ name: 'crier_event_streams', help: 'Open event streams.' });
