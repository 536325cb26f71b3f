import type { Json } from '../lib/json.ts';

/** One thing wrong with a post on one network, or worth knowing (contract: validation envelope). */
export interface ValidationIssue {
  platform: string;
  code: string;
  message: string;
  field: string;
  severity: 'error' | 'warning';
  constraint?: string;
  currentValue?: Json;
  maxValue?: Json;
  minValue?: Json;
  suggestions?: string[];
}

export const issuer =
  (platform: string) =>
  (code: string, message: string, field: string, more: Partial<ValidationIssue> = {}): ValidationIssue => ({
    platform,
    code,
    message,
    field,
    severity: 'error',
    ...more,
  });
