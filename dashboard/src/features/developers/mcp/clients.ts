/** How to set up a client for this service's MCP server. */
export interface McpClient {
  id: string;
  name: string;
  steps: string;
  snippet: string;
  /** Opens the client with everything filled in. */
  link?: { label: string; href: string };
}

const keyHeader = { Authorization: 'Bearer <key>' };

export function mcpClients(origin: string): McpClient[] {
  const url = `${origin}/mcp`;
  return [
    {
      id: 'claude',
      name: 'Claude',
      steps:
        'In Settings > Connectors, choose “Add custom connector” and enter this address. Then sign in and approve.',
      snippet: url,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      steps: 'Add this to ~/.cursor/mcp.json, with a key from “Keys”.',
      snippet: json({ mcpServers: { crier: { url, headers: keyHeader } } }),
    },
    {
      id: 'vscode',
      name: 'VS Code',
      steps: 'Click the button, or add this to .vscode/mcp.json. VS Code opens the sign-in page.',
      snippet: json({ servers: { crier: { type: 'http', url } } }),
      link: {
        label: 'Add to VS Code',
        href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'crier', type: 'http', url }))}`,
      },
    },
    {
      id: 'cli',
      name: 'Command line',
      steps: 'Claude Code: run this command, then sign in with /mcp.',
      snippet: `claude mcp add --transport http crier ${url}`,
    },
  ];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
