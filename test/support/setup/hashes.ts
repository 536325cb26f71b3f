// Vitest evaluates this file for each test file, but its imports only once per worker.
import './known-hashes.ts';
