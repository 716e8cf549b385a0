/** The text at the root of the server: what it is, and the first requests. */
export function welcomeText(origin: string): string {
  return `AgentStateGraph: versioned state for agents, whose history says who, why and on whose authority.

Read   curl -H "Authorization: Bearer $ASG_TOKEN" ${origin}/api/state/main
Write  curl -H "Authorization: Bearer $ASG_TOKEN" -H "Content-Type: application/json" \\
         -d '{"path": "/hello", "value": "world", "description": "Say hello"}' ${origin}/api/state/main/set

Every route    ${origin}/openapi.json
Is it alive    ${origin}/healthz
Numbers        ${origin}/metrics

The server showed its token when it first started.
`
}
