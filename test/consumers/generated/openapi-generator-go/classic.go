// Does the walk of the classic variant with a client that openapi-generator made from its document: classic URL TOKEN.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	petstore "petstore/client"
)

func clientAt(url, token string) *petstore.APIClient {
	config := petstore.NewConfiguration()
	config.Servers = petstore.ServerConfigurations{{URL: url + "/api/v3"}}
	if token != "" {
		config.AddDefaultHeader("Authorization", "Bearer "+token)
	}
	return petstore.NewAPIClient(config)
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	anyone, staff := clientAt(os.Args[1], ""), clientAt(os.Args[1], os.Args[2])

	pet, _, err := staff.PetAPI.AddPet(ctx).PetRequest(*petstore.NewPetRequest("Biscuit")).Execute()
	must(pet, err)
	found, _, err := anyone.PetAPI.FindPetsByStatus(ctx).Status([]string{"available"}).Execute()
	must(found, err)
	isFound := false
	for _, one := range found {
		isFound = isFound || one.Id == pet.Id
	}
	placed, _, err := anyone.StoreAPI.PlaceOrder(ctx).OrderRequest(*petstore.NewOrderRequest(pet.Id)).Execute()
	must(placed, err)
	order, _, err := staff.StoreAPI.GetOrderById(ctx, placed.Id).Execute()
	must(order, err)

	fmt.Println(string(must(json.Marshal(map[string]any{"found": isFound, "status": order.Status}))))
}
