// The program uses a client that oapi-codegen has made of openapi.yaml against a
// running service, as a customer would.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"
)

func ptr[T any](v T) *T { return &v }

func check(ok bool, what string, got any) {
	if !ok {
		log.Fatalf("%s: %+v", what, got)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	token := os.Getenv("API_TOKEN")
	client := must(NewClientWithResponses(os.Getenv("BASE_URL")+"/api/v1", WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	})))
	ctx := context.Background()
	me := must(client.GetMeWithResponse(ctx, nil))
	check(me.JSON200 != nil && me.JSON200.TokenPrefix.MustGet() == token[:12], "me", me.Status())
	id := prospects(ctx, client)
	pages(ctx, client)
	campaign(ctx, client, id)
	fmt.Println("go client: done")
}

// prospects creates one, meets it again, reads, changes and clears it.
func prospects(ctx context.Context, client *ClientWithResponses) uuid.UUID {
	body := ProspectCreate{Email: "Ada@go.example", FirstName: nullable.NewNullableWithValue("Ada"), Timezone: nullable.NewNullableWithValue("Europe/Paris")}
	made := must(client.CreateProspectWithResponse(ctx, &CreateProspectParams{IdempotencyKey: ptr("go-1")}, body))
	check(made.JSON201 != nil && made.JSON201.Status == "new", "create", string(made.Body))
	replayed := must(client.CreateProspectWithResponse(ctx, &CreateProspectParams{IdempotencyKey: ptr("go-1")}, body))
	check(replayed.JSON201 != nil && replayed.JSON201.Id == made.JSON201.Id && replayed.HTTPResponse.Header.Get("Idempotency-Replayed") == "true", "replay", string(replayed.Body))
	taken := must(client.CreateProspectWithResponse(ctx, nil, body))
	check(taken.ApplicationproblemJSON409 != nil && taken.ApplicationproblemJSON409.Code == "prospect_exists" && *taken.ApplicationproblemJSON409.ProspectId == made.JSON201.Id, "conflict", string(taken.Body))
	id := made.JSON201.Id
	patch := ProspectPatch{FirstName: nullable.NewNullNullable[string](), JobTitle: nullable.NewNullableWithValue("Head")}
	changed := must(client.UpdateProspectWithApplicationMergePatchPlusJSONBodyWithResponse(ctx, id, nil, patch))
	check(changed.JSON200 != nil && changed.JSON200.FirstName.IsNull() && changed.JSON200.JobTitle.MustGet() == "Head" && changed.JSON200.Timezone.MustGet() == "Europe/Paris", "patch", string(changed.Body))
	read := must(client.GetProspectWithResponse(ctx, id, nil))
	check(read.JSON200 != nil && read.JSON200.CreatedAt.Equal(made.JSON201.CreatedAt), "get", string(read.Body))
	fresh := must(client.GetProspectWithResponse(ctx, id, &GetProspectParams{IfNoneMatch: ptr(read.HTTPResponse.Header.Get("ETag"))}))
	check(fresh.StatusCode() == http.StatusNotModified, "if-none-match", fresh.Status())
	none := must(client.GetProspectWithResponse(ctx, uuid.New(), nil))
	check(none.ApplicationproblemJSON404 != nil && none.ApplicationproblemJSON404.Code == "not_found", "unknown id", string(none.Body))
	return id
}

// pages stores many at once and walks them by cursor.
func pages(ctx context.Context, client *ClientWithResponses) {
	var bulk ProspectBulk
	for i := range 25 {
		bulk.Prospects = append(bulk.Prospects, ProspectCreate{Email: fmt.Sprintf("p%d@go.example", i)})
	}
	stored := must(client.BulkProspectsWithResponse(ctx, nil, bulk))
	check(stored.JSON200 != nil && len(stored.JSON200.Results) == 25 && stored.JSON200.Results[24].Outcome == Created, "bulk", string(stored.Body))
	seen := map[uuid.UUID]bool{}
	params := &ListProspectsParams{Limit: ptr(10), Status: ptr(ProspectStatusNew)}
	for {
		page := must(client.ListProspectsWithResponse(ctx, params))
		check(page.JSON200 != nil, "list", string(page.Body))
		for _, p := range page.JSON200.Data {
			if strings.HasSuffix(string(p.Email), "@go.example") { // others use the workspace meanwhile
				seen[p.Id] = true
			}
		}
		if page.JSON200.NextCursor.IsNull() {
			break
		}
		params.Cursor = ptr(page.JSON200.NextCursor.MustGet())
	}
	check(len(seen) == 26, "walk", len(seen))
	params.Cursor = ptr("x")
	refused := must(client.ListProspectsWithResponse(ctx, params))
	check(refused.ApplicationproblemJSON400 != nil && refused.ApplicationproblemJSON400.Code == "invalid_cursor", "cursor", string(refused.Body))
}

// campaign makes one with a step and enrolls the prospect.
func campaign(ctx context.Context, client *ClientWithResponses, prospect uuid.UUID) {
	made := must(client.CreateCampaignWithResponse(ctx, nil, CampaignCreate{Name: "Go",
		Steps: nullable.NewNullableWithValue([]StepInput{{Subject: nullable.NewNullableWithValue("Hello"), BodyText: nullable.NewNullableWithValue("A call?")}})}))
	check(made.JSON201 != nil && len(made.JSON201.Steps) == 1 && made.JSON201.Status == "draft", "campaign", string(made.Body))
	joined := must(client.CreateEnrollmentWithResponse(ctx, nil, EnrollmentCreate{CampaignId: made.JSON201.Id, ProspectId: nullable.NewNullableWithValue(prospect)}))
	check(joined.JSON201 != nil && joined.JSON201.Enrollment.ProspectId == prospect && !joined.JSON201.ProspectCreated, "enroll", string(joined.Body))
	again := must(client.CreateEnrollmentWithResponse(ctx, nil, EnrollmentCreate{CampaignId: made.JSON201.Id, ProspectId: nullable.NewNullableWithValue(prospect)}))
	check(again.JSON200 != nil && again.JSON200.Enrollment.Id == joined.JSON201.Enrollment.Id, "enroll again", string(again.Body))
	stats := must(client.GetCampaignStatsWithResponse(ctx, made.JSON201.Id, nil))
	check(stats.JSON200 != nil && stats.JSON200.Prospects == 1, "stats", string(stats.Body))
	refused := must(client.ActivateCampaignWithResponse(ctx, made.JSON201.Id, nil, Empty{}))
	check(refused.ApplicationproblemJSON422 != nil && refused.ApplicationproblemJSON422.Code == "precondition_failed", "activate without mailbox", string(refused.Body))
}
