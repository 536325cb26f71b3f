import type { Json } from '../../../foundation/lib/json.ts';

/** An error or a warning about a post on one platform (contract.md#validation.issue). */
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

export const issueFor =
  (platform: string) =>
  (code: string, message: string, field: string, more: Partial<ValidationIssue> = {}): ValidationIssue => ({
    platform,
    code,
    message,
    field,
    severity: 'error',
    ...more,
  });
