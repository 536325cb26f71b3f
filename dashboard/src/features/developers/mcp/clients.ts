/** How a client is set up for the MCP server of this service. */
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
      steps: 'Settings, Connectors, "Add custom connector", with this address. Then sign in and approve.',
      snippet: url,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      steps: 'Put this into ~/.cursor/mcp.json, with a key from "API keys".',
      snippet: json({ mcpServers: { crier: { url, headers: keyHeader } } }),
    },
    {
      id: 'vscode',
      name: 'VS Code',
      steps: 'Use the button, or put this into .vscode/mcp.json. VS Code opens the page to sign in.',
      snippet: json({ servers: { crier: { type: 'http', url } } }),
      link: {
        label: 'Add to VS Code',
        href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'crier', type: 'http', url }))}`,
      },
    },
    {
      id: 'cli',
      name: 'Command line',
      steps: 'Claude Code: run this, then sign in with /mcp.',
      snippet: `claude mcp add --transport http crier ${url}`,
    },
  ];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
