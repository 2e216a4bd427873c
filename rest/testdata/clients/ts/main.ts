// Uses types that openapi-typescript has made of openapi.yaml, with openapi-fetch,
// against a running service, as a customer would.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const token = process.env.API_TOKEN!;
const api = createClient<paths>({ baseUrl: process.env.BASE_URL + "/api/v1", headers: { Authorization: `Bearer ${token}` } });

const me = await api.GET("/me");
assert.equal(me.data?.token_prefix, token.slice(0, 12));

const body: components["schemas"]["ProspectCreate"] = { email: "Ada@ts.example", first_name: "Ada", custom_fields: { seats: 12, plan: "gold", vip: true } };
const made = await api.POST("/prospects", { body, params: { header: { "Idempotency-Key": "ts-1" } } });
assert.ok(made.data);
assert.equal(made.response.status, 201);
const id = made.data.id;
const replayed = await api.POST("/prospects", { body, params: { header: { "Idempotency-Key": "ts-1" } } });
assert.equal(replayed.data?.id, id);
assert.equal(replayed.response.headers.get("Idempotency-Replayed"), "true");
const taken = await api.POST("/prospects", { body });
assert.equal(taken.error?.code, "prospect_exists");

const changed = await api.PATCH("/prospects/{id}", { params: { path: { id } }, body: { first_name: null, custom_fields: { vip: null } } });
assert.equal(changed.data?.first_name, null);
assert.deepEqual(changed.data?.custom_fields, { seats: 12, plan: "gold" });
const none = await api.GET("/prospects/{id}", { params: { path: { id: crypto.randomUUID() } } });
assert.equal(none.response.status, 404);
assert.equal(none.error?.code, "not_found");

const bulk = await api.POST("/prospects/bulk", { body: { prospects: Array.from({ length: 25 }, (_, i) => ({ email: `p${i}@ts.example` })), on_existing: "skip" } });
assert.ok(bulk.data?.results.every((r) => r.outcome === "created"));
const seen = new Set<string>();
let cursor: string | undefined;
do {
  const page = await api.GET("/prospects", { params: { query: { limit: 10, cursor, company_id: made.data.company_id ?? undefined } } });
  assert.ok(page.data);
  for (const p of page.data.data) seen.add(p.id);
  cursor = page.data.next_cursor ?? undefined;
} while (cursor);
assert.equal(seen.size, 26);
const refused = await api.GET("/prospects", { params: { query: { cursor: "x" } } });
assert.equal(refused.error?.code, "invalid_cursor");

const campaign = await api.POST("/campaigns", { body: { name: "TS", send_days: ["mon"], steps: [{ subject: "Hello", body_text: "A call?" }] } });
assert.ok(campaign.data);
const joined = await api.POST("/enrollments", { body: { campaign_id: campaign.data.id, prospect_id: id } });
assert.ok(joined.data);
assert.equal(joined.data.prospect_created, false);
assert.equal(joined.data.enrollment.prospect_id, id);
const stats = await api.GET("/campaigns/{id}/stats", { params: { path: { id: campaign.data.id } } });
assert.equal(stats.data?.prospects, 1);
const gone = await api.DELETE("/prospects/{id}", { params: { path: { id } } });
assert.equal(gone.response.status, 204);
console.log("ts client: done");
