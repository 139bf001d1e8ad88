// Does the walk of the classic variant with a client that oapi-codegen made from its document: classic URL TOKEN.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	petstore "petstore/client"
)

func clientAt(url, token string) *petstore.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	return must(petstore.NewClientWithResponses(url+"/api/v3", petstore.WithRequestEditorFn(authorize)))
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

// some returns the value of an expected response, or ends the program with the response that came instead.
func some[T any](value *T, body []byte) T {
	if value == nil {
		fmt.Fprintln(os.Stderr, string(body))
		os.Exit(1)
	}
	return *value
}

func main() {
	ctx := context.Background()
	anyone, staff := clientAt(os.Args[1], ""), clientAt(os.Args[1], os.Args[2])

	added := must(staff.AddPetWithResponse(ctx, &petstore.AddPetParams{}, petstore.PetRequest{Name: "Biscuit"}))
	pet := some(added.JSON200, added.Body)
	available := []petstore.FindPetsByStatusParamsStatus{petstore.FindPetsByStatusParamsStatusAvailable}
	found := must(anyone.FindPetsByStatusWithResponse(ctx, &petstore.FindPetsByStatusParams{Status: &available}))
	isFound := false
	for _, one := range some(found.JSON200, found.Body) {
		isFound = isFound || one.Id == pet.Id
	}
	placed := must(anyone.PlaceOrderWithResponse(ctx, &petstore.PlaceOrderParams{}, petstore.OrderRequest{PetId: pet.Id}))
	id := some(placed.JSON200, placed.Body).Id
	read := must(staff.GetOrderByIdWithResponse(ctx, id, &petstore.GetOrderByIdParams{}))
	order := some(read.JSON200, read.Body)

	fmt.Println(string(must(json.Marshal(map[string]any{"found": isFound, "status": order.Status}))))
}
